export const folder = {
  choose: '选择文件夹',
  chosen: '文件夹：{name}',
  title: '本会话的文件夹',
  path: '文件夹',
  hint: '模型可以读取其中的内容，征得你同意后可以写入，除此之外什么也碰不到。',
  browse: '浏览…',
  use: '使用此文件夹',
  remove: '不用文件夹',
} as const;
