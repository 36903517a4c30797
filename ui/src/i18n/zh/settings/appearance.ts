import type { appearance as original } from '../../en/settings/appearance';
import type { Translation } from '../../en/textKeys';

export const appearance: Translation<typeof original> = {
  theme: '主题',
  theme_system: '跟随系统',
  theme_light: '浅色',
  theme_dark: '深色',
  language: '语言',
  language_system: '跟随系统',
  language_english: 'English',
  language_chinese: '简体中文',
  zoom: '缩放',
  notices: '桌面通知',
  noticesHint:
    '窗口不在前台时，若回复结束或工具需要你回答，会发出通知。只显示会话标题，不含对话内容。',
  replySpeech: '屏幕阅读器',
  replySpeechHint: '回复结束后自动朗读多少内容。',
  replySpeech_whole: '整条回复',
  replySpeech_beginning: '第一段',
  replySpeech_ending: '只说回复已结束',
  spelling: '拼写检查',
  spellingHint: '在你输入时检查，使用系统语言及已安装的词典。',
};
