export const sentTools = {
  deferredTools: '有 {count} 个服务器工具未载入：模型只看到名称和一行说明，需要时再读取。',
  deferredSaves: '每次请求因此节省 {tokens} tokens。',
  deferredSavesCost: '每次请求因此节省 {tokens} tokens，目前约合 {cost}。',
  loadedTools: '本话题中已载入：{names}。',
  deferredNames: '未载入的工具',
  deferredTool: '{name}：{tokens} tokens',
  toolsLeftOut:
    '以下工具不会发送，因为所有 MCP 服务器的工具合计将占用窗口的一半以上，或超过 100,000 tokens：{names}。',
} as const;
