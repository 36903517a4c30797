/** Descriptions of the built-in tools, by name: for the user, not for the model. */
export const toolAbout = {
  list_directory: 'Shows the model what is in the session’s folder.',
  glob: 'Finds files in the session’s folder by their names.',
  grep: 'Finds the lines of files that match a pattern.',
  read_file: 'Reads text files, PDFs and Office documents in the session’s folder.',
  write_file: 'Writes a whole file; you see the difference and are asked first.',
  edit_file: 'Changes a part of a file; you see the difference and are asked first.',
  run_command: 'Runs a command in the session’s folder; you see it and are asked first.',
  fetch_page: 'Reads a page from the web; you are asked first.',
  web_search: 'Searches the web with the engine chosen below; you are asked first.',
  search_history: 'Searches all messages of the session, also those the model no longer sees.',
  read_stored_result:
    'Reads a tool’s earlier result again, where the model saw only part of it or no longer sees it.',
  add_reminder: 'Writes a reminder, which stays when the model no longer sees older messages.',
  update_reminder: 'Rewrites a reminder.',
  delete_reminder: 'Deletes a reminder.',
  clear_mind: 'Begins a new thread that knows only the reminders.',
  describe_tool:
    'Tells the model how a tool of a server is called, when its declaration was left out to save room.',
  call_tool:
    'Calls such a tool. You see the tool itself and its arguments, and are asked as always.',
  skill: 'Loads the instructions of a skill when a task asks for it.',
} as const;

export type BuiltInTool = keyof typeof toolAbout;

/** Tools of servers bring their own words. */
export const isBuiltIn = (tool: string): tool is BuiltInTool => Object.hasOwn(toolAbout, tool);
