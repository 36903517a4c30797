/**
 * A safe proposal for the name of a file to write.
 */

/** Characters that some system does not allow in a file name, or that are invisible. */
const forbidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}<>:"|?*]/gu;

/** The names of Windows' devices, which stay devices with an extension. */
const device = /^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?=\.|$)/iu;

/** A name that every system takes for a file: never a path, a hidden file, or a device. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? '';
  const plain = last.replace(forbidden, '').replace(/^[. ]+|[. ]+$/gu, '');
  return plain === '' ? 'file' : plain.replace(device, '_$&');
}
