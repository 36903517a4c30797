import type { desktop as original } from '../../en/settings/desktop';
import type { Translation } from '../../en/textKeys';

export const desktop: Translation<typeof original> = {
  trayIcon: '托盘图标',
  trayIconHint: '其菜单可打开最近的会话、新建会话和退出 Skein。',
  noTray: '此桌面目前不显示托盘。',
  closeToTray: '在托盘中继续运行',
  closeToTrayHint: '开启后，关闭窗口不会退出 Skein。没有托盘时仍会退出。',
  quickAskKeys: '快速提问快捷键',
  quickAskKeysHint: '在任何程序中都有效，会打开一个用于提问的小窗口。',
  keysNone: '无',
  keySpace: '空格',
  keysTaken: '这组按键已被其他程序占用，请另选一组。',
  keysUnavailable: '此桌面不向程序提供全局快捷键。',
  keysChosen: '你的桌面用 {keys} 打开它，可在桌面自己的设置中更改。',
  startAtLogin: '开机时启动',
  startAtLoginHint: '登录后 Skein 会启动并在托盘中等待。没有托盘时会打开窗口。',
  startAtLoginFailed: '系统没有接受此设置，原因见 skein.log。',
  taskbar: '任务栏提示',
  taskbarHint: '当你不在 Skein 时回复结束或工具提问，以及导入的进度。并非所有任务栏都会显示。',
  otherWays:
    '如果文件管理器的“打开方式”中有 Skein（文本、PDF 和图片），选择它会用该文件新建会话。会话的菜单可以在单独的窗口中打开它。',
};
