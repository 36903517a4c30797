export const app = {
  toggleSidebar: '显示或隐藏侧栏',
  newSession: '新会话',
  openSettings: '设置',
  welcome: '永远不必结束的对话',
  welcomeText: 'Skein 让你看到模型看到的一切，并在溢出之前压缩对话。你说过的话不会丢失。',
  talkToDemo:
    '在下方输入即可与内置的演示模型对话：它离线运行，只知道你告诉它的内容。输入“写一篇关于……的长文”，几分钟就能填满它的小窗口。',
  willAnswer: '将由 {model} 回答。',
  useModel: '{name} 已设置：使用 {model}',
  withoutKey: '{name} 还没有密钥。',
  addProvider: '添加提供商',
  loading: '正在打开…',
  answered: '回复已结束。',
  asks: '有工具在等你回答。',
  linkModel: '链接要求使用 {model}，但这里没有配置它。已选择默认模型。',
  linkModels: '链接要求使用 {model}，而这里有多个提供商提供它。已选择默认模型。',
  linkSession: '链接指向的会话不在这里。',
  linkUnreadable: '无法读取这个链接，没有执行任何操作。',
  installTitle: '要添加 MCP 服务器“{name}”吗？',
  installAsk:
    '这个服务器由一个链接推荐。只有信任链接来源时才添加。它的命令第一次运行之前还会再问你一次。',
  installAdd: '添加服务器',
} as const;
