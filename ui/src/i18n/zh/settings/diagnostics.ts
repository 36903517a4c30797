import type { diagnostics as original } from '../../en/settings/diagnostics';
import type { Translation } from '../../en/textKeys';

export const diagnostics: Translation<typeof original> = {
  safeMode: '安全模式：不启动 MCP 服务器，也不自动压缩、清空或归档。',
  safeModeHint: '你的设置没有改变，正常启动 Skein 后即恢复生效。',
  copy: '复制诊断信息',
  copyHint:
    '用于报告问题：版本、系统和日志中最近的事件。其中没有密钥、对话内容，也没有你主目录的路径。',
};
