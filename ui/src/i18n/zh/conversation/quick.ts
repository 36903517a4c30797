import type { quick as original } from '../../en/conversation/quick';
import type { Translation } from '../../en/textKeys';

export const quick: Translation<typeof original> = {
  continue: '在 Skein 中继续',
  startOver: '新问题',
  about: '按 Esc 隐藏此窗口。在 Skein 中继续之前，这里的内容不会保存。',
};
