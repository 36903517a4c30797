import type { start as original } from '../../en/app/start';
import type { Translation } from '../../en/textKeys';

export const start: Translation<typeof original> = {
  newer: '你的会话曾由更新版本的 Skein 打开',
  damaged: '数据库已损坏',
  foreign: '数据库中含有并非由 Skein 创建的内容',
  locked: '数据库正被其他程序占用',
  unwritable: '无法写入数据文件夹',
  failing: '磁盘可能即将损坏',
  failed: 'Skein 无法打开数据',
  kept: '没有更改任何内容，也不会删除任何内容：无论如何选择，现在的数据库都会保留为备份。',
  tryAgain: '重试',
  show: '显示文件夹',
  version: '当前为 Skein {version}。',
  copies: '使用备份开始',
  copiesHint: '备份创建之后的内容不在其中。',
  begin: '使用此备份',
  beginOf: '使用 {when} 的备份',
  anew: '重新开始',
  anewHint: '不含任何会话。现在的数据库之后可以在“设置 → 数据”中恢复。',
};
