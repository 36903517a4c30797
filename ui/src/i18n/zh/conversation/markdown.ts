import type { markdown as original } from '../../en/conversation/markdown';
import type { Translation } from '../../en/textKeys';

export const markdown: Translation<typeof original> = {
  copyCode: '复制代码',
  saveCode: '另存为…',
  wrapCode: '长行换行',
  code: '代码',
  codeIn: '代码，{language}',
  table: '表格',
  spokenCode: '代码，{count} 行',
  spokenCodeIn: '代码，{language}，{count} 行',
  done: '已完成',
  notDone: '未完成',
  imageFrom: '来自 {host} 的图片',
  loadImage: '加载图片',
  openImage: '打开 {name}',
  imageFailed: '图片无法加载',
};
