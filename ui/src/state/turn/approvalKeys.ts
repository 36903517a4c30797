/**
 * The keys that answer the question of a tool, from wherever in the window they are pressed. What lasts has
 * none: one call was asked about.
 */
export const approvalKeys = { once: 'Mod+Shift+Y', deny: 'Mod+Shift+D' } as const;
