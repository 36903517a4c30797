export const folder = {
  choose: '选择文件夹',
  chosen: '文件夹：{name}',
  title: '本会话的文件夹',
  path: '文件夹',
  hint: '模型可以读取此文件夹，征得你同意后可以写入。它无法访问其他文件夹。',
  browse: '浏览…',
  use: '使用此文件夹',
  remove: '不用文件夹',
  lostName: '文件夹：{name}，无法访问',
  lost: '工具无法访问本会话的文件夹。{reason}请选择其他文件夹，或不使用文件夹继续。',
  another: '选择其他文件夹…',
} as const;
