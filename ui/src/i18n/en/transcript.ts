export const transcript = {
  conversation: 'Conversation',
} as const;
