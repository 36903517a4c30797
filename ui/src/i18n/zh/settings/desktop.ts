import type { desktop as original } from '../../en/settings/desktop';
import type { Translation } from '../../en/textKeys';

export const desktop: Translation<typeof original> = {
  trayIcon: '托盘图标',
  trayIconHint: '其菜单可打开最近的会话、新建会话和退出 Skein。',
  noTray: '此桌面目前不显示托盘。',
  closeToTray: '在托盘中继续运行',
  closeToTrayHint: '开启后，关闭窗口不会退出 Skein。没有托盘时仍会退出。',
};
