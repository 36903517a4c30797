export const app = {
  toggleSidebar: '显示或隐藏侧栏',
  newSession: '新会话',
  openSettings: '设置',
  welcome: '永远不必结束的对话',
  welcomeText: 'Skein 让你看到模型看到的一切，并在溢出之前压缩对话。你说过的话不会丢失。',
  talkToDemo: '与演示模型对话',
  addProvider: '添加提供商',
  loading: '正在打开…',
} as const;
