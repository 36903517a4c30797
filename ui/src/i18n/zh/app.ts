export const app = {
  toggleSidebar: '显示或隐藏侧栏',
  newSession: '新会话',
  openSettings: '设置',
  welcome: '永远不必结束的对话',
  welcomeText: 'Skein 让你看到模型看到的一切，并在溢出之前压缩对话。你说过的话不会丢失。',
  talkToDemo:
    '在下方输入即可与内置的演示模型对话：它离线运行，只知道你告诉它的内容。输入“写一篇关于……的长文”，几分钟就能填满它的小窗口。',
  addProvider: '添加提供商',
  loading: '正在打开…',
} as const;
