import type { toolAbout as original } from '../../en/conversation/toolAbout';
import type { Translation } from '../../en/textKeys';

export const toolAbout: Translation<typeof original> = {
  list_directory: '让模型看到会话文件夹中有什么。',
  glob: '按名称查找会话文件夹中的文件。',
  grep: '在文件中查找与模式匹配的行。',
  read_file: '读取会话文件夹中的文本文件、PDF 和 Office 文档。',
  write_file: '写入整个文件；你会看到差异，并会先征得你的同意。',
  edit_file: '修改文件的一部分；你会看到差异，并会先征得你的同意。',
  run_command: '在会话文件夹中运行命令；你会看到命令，并会先征得你的同意。',
  fetch_page: '读取一个网页；会先征得你的同意。',
  web_search: '用下面选择的搜索引擎搜索网页；会先征得你的同意。',
  search_history: '搜索本会话的所有消息，包括模型已看不到的。',
  read_stored_result: '重新读取工具之前的结果：模型只看到一部分，或已看不到的。',
  add_reminder: '写下提醒项；模型看不到较早的消息之后，它仍然保留。',
  update_reminder: '改写提醒项。',
  delete_reminder: '删除提醒项。',
  clear_mind: '开启只保留提醒项的新话题。',
  describe_tool: '为节省空间而未发送某个服务器工具的声明时，告诉模型如何调用它。',
  call_tool: '调用这样的工具。你看到的是工具本身及其参数，并会像平常一样先征得你的同意。',
  skill: '任务需要时载入技能的说明。',
};
