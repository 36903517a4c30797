import { onMac } from './shortcuts';

/**
 * Whether what is written is checked by the system. Not on macOS: with the check its webview also makes
 * curly quotes and dashes of what people write for a program to read, and says nowhere that it did.
 */
export const spellChecked = !onMac;
