export const attach = {
  files: 'Files…',
  from: 'From {server}…',
  resources: 'Resources of {server}',
  find: 'Find a resource',
  none: 'No resource has this name.',
  attach: 'Attach {name}',
  arguments: 'Fill in “{name}”',
  optional: '{name} (optional)',
  insert: 'Put into the box',
} as const;
