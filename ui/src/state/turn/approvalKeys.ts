/**
 * The shortcuts that answer a tool's approval request. A lasting grant has none: the request is about one
 * call.
 */
export const approvalKeys = { once: 'Mod+Shift+Y', deny: 'Mod+Shift+D' } as const;
