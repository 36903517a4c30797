import { firstFrame } from './firstFrame';
import { panels } from './panels';

export const zh = { ...firstFrame, ...panels };
