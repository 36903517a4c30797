import type { tools as original } from '../en/tools';
import type { Translation } from '../types';

export const tools: Translation<typeof original> = {
  toolsAndMcp: '工具与 MCP',
};
