import type { quarantine as original } from '../../en/settings/quarantine';
import type { Translation } from '../../en/textKeys';

export const quarantine: Translation<typeof original> = {
  notice: '此数据库来自别处，或由备份恢复。其中有 {count} 项许可等待你的确认。',
  look: '查看其中的许可…',
  title: '此数据库中的许可',
  hint: '在你允许之前，以下内容均不生效。如果此数据库由你自己创建，可一次全部允许；如果由他人提供，请只允许你愿意交给对方的内容。',
  grants: '无需询问即可运行',
  folders: '工具可访问的文件夹',
  reminders: '在所有会话中发送给模型的提醒项',
  startsNothing:
    '此计算机的设置中没有服务器使用该命令，因此不会启动任何程序。日后配置了该服务器时，启动前会先询问。',
  allow: '允许',
  allowOf: '允许 {what}',
  decline: '不允许',
  declineOf: '不允许 {what}',
  declined: '未允许 {what}。',
  allowAll: '全部允许：这是我自己的数据库',
  later: '稍后决定',
};
