export const markdown = {
  copyCode: 'Copy code',
  code: 'Code',
  codeIn: 'Code, {language}',
  table: 'Table',
  done: 'Done',
  notDone: 'Not done',
  imageFrom: 'Image from {host}',
  loadImage: 'Load the image',
  imageFailed: 'The image could not be loaded',
  formulaFailed: 'The formula cannot be typeset',
} as const;
