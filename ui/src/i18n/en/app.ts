export const app = {
  toggleSidebar: 'Show or hide the sidebar',
} as const;
