export const markdown = {
  copyCode: 'Copy code',
  saveCode: 'Save as…',
  wrapCode: 'Wrap long lines',
  code: 'Code',
  codeIn: 'Code, {language}',
  table: 'Table',
  spokenCode: { one: 'code, {count} line', other: 'code, {count} lines' },
  spokenCodeIn: {
    one: 'code, {language}, {count} line',
    other: 'code, {language}, {count} lines',
  },
  done: 'Done',
  notDone: 'Not done',
  imageFrom: 'Image from {host}',
  loadImage: 'Load the image',
  openImage: 'Open {name}',
  imageFailed: 'The image could not be loaded',
} as const;
