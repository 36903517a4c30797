import type { updates as original } from '../../en/settings/updates';
import type { Translation } from '../../en/textKeys';

export const updates: Translation<typeof original> = {
  title: '更新',
  none: '此版本不会自行更新。',
  agree: '每天检查一次更新',
  agreeHint:
    '只会询问 {host}：每天一次，以及你按下按钮时。对方会收到 Skein 的版本号，并看到你的网络地址；不会发送你的任何内容。关闭后绝不会联系该主机。',
  check: '立即检查',
  checking: '正在询问 {host}…',
  upToDate: 'Skein {version} 已是最新版本。',
  available: '有新版本 Skein {version}。',
  notes: '更新内容',
  install: '安装并重新启动',
  installHint:
    '只有签名正确才会安装，并且会先备份数据库。如有回复或其他任务正在进行，Skein 会等待其结束。',
  download: '下载',
  downloadHint:
    '只有签名正确的安装包才会保留，并且会备份数据库。随后会显示用系统的包管理器安装它的命令。',
  downloading: '正在下载：{received}…',
  downloadingOf: '正在下载：{received}，共 {total}…',
  waiting: '正在等待任务结束、文字保存…',
  installing: '正在备份数据库并替换程序。随后任务一结束，Skein 就会重新启动…',
  keeping: '正在备份数据库并保留安装包…',
  goingBack: '正在导出更新之后写下的内容…',
  installed: 'Skein 正在重新启动…',
  packaged:
    'Skein {version} 的安装包已下载，签名正确。它由系统的包管理器安装：请退出 Skein，然后在终端中运行此命令。',
  returnStaged:
    '更新之后写下的内容已导出，从现在起不再存储任何内容。请退出 Skein，然后在终端中运行此命令：系统的包管理器会恢复 Skein {version}，它将使用更新之前的数据库。',
  stay: '留在版本 {version}',
  copyCommand: '复制命令',
  cancel: '取消',
  goBack: '退回版本 {version}…',
  goBackNow: '退回并重新启动',
  goBackPackaged: '导出并显示命令',
  goBackTitle: '退回版本 {version}',
  goBackWords:
    'Skein {version} 将连同更新之前的数据库一起恢复。此后有变化的会话会先导出，之后可以导入。当前的数据库会作为备份保留。其余的变化只在该备份中：已修改但尚未重新发送的消息、所有会话的提醒项、删除操作以及用量记录。与恢复任何备份一样，权限需要重新确认。',
  returned: 'Skein 已从版本 {version} 退回，数据库是那次更新之前的。',
  returnedSessions: '{count} 个会话在该版本中有变化，保存在 {path}。',
  returnedNothing: '此后没有会话发生变化。',
  importReturned: '导入',
  imported: '更新之后写下的内容已导入，原有内容保持不变。',
  noticeAvailable: '有新版本 Skein {version}。要安装，请打开“设置 → 关于”。',
  fault_unreachable: '无法连接 {host}。请检查网络，稍后再试。当前版本继续运行。',
  fault_badAnswer: '{host} 没有返回版本信息。请稍后再试。当前版本继续运行。',
  fault_noPackage: '新版本没有适用于此系统的安装包。当前版本继续运行。',
  fault_otherHost: '新版本位于你未同意的主机 {host}，因此没有下载。请告知此版本的制作者。',
  fault_cutOff: '从 {host} 的下载中断了。请重新检查并再次下载。当前版本继续运行。',
  fault_tooLarge: '安装包的大小超出了 Skein 的合理范围，下载已终止。请告知此版本的制作者。',
  fault_badSignature:
    '安装包的签名不正确，已被丢弃。请不要手动安装。请稍后再试，并告知此版本的制作者。',
  fault_otherVersion:
    '安装包签名的版本与公布的版本不同，或不适用于此系统，已被丢弃。请稍后再试，并告知此版本的制作者。',
  fault_installer:
    '安装程序失败：{detail}。请重新检查并再试一次，或手动安装新版本。当前版本继续运行。',
  fault_file: '{words}当前版本继续运行。',
};
