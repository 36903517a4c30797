export const markdown = {
  copyCode: 'Copy code',
  code: 'Code',
  codeIn: 'Code, {language}',
  done: 'Done',
  notDone: 'Not done',
  imageFrom: 'Image from {host}',
  loadImage: 'Load the image',
  imageFailed: 'The image could not be loaded',
} as const;
