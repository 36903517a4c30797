export const attach = {
  files: '文件…',
  from: '来自 {server}…',
  resources: '{server} 的资源',
  find: '查找资源',
  none: '没有这个名称的资源。',
  attach: '附加 {name}',
  arguments: '填写“{name}”',
  optional: '{name}（可不填）',
  insert: '放入输入框',
} as const;
