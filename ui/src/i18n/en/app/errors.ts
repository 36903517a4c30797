export const errors = {
  unexpected: 'Something unexpected happened',
  busy: 'A reply is already on its way here. Wait for it, or stop it.',
  compacting: 'A compaction is already running here. Wait for it, or cancel it.',
  nothingToUndo: 'There is no compaction here to undo.',
  nothingToRedo: 'There is no undone compaction here to put back.',
  emptyMessage: 'There is nothing to send yet.',
  leftOut:
    'The message to be answered is left out of the context. Take it into the context again first.',
  unanswered: 'This message is waiting for its answer, so it cannot be left out of the context.',
  noModel: 'No model is chosen. Choose one below the message box.',
  gone: 'This no longer exists.',
  gone_session: 'This session is gone.',
  gone_thread: 'This thread is gone.',
  gone_threadBefore: 'There is no thread before this one to go back to.',
  gone_message: 'This message is gone.',
  gone_waiting: 'This message is no longer waiting: it was sent or taken back.',
  gone_attachment: 'This attachment is gone.',
  gone_output: 'This output is gone.',
  gone_compaction: 'This compaction is gone: it was undone, or another took its place.',
  gone_reminder: 'This reminder is gone.',
  gone_provider: 'This provider is gone: it was removed.',
  gone_listedModel: 'This address lists no models to chat with. Enter the ID of one.',
  gone_question: 'This question is no longer waiting for an answer.',
  gone_deletion: 'This can no longer be brought back.',
  gone_server: 'The MCP server “{name}” is gone.',
  invalid: 'That cannot be used: {detail}.',
  storage: 'Something could not be stored or read: {detail}. Your messages are safe; try again.',
  protocol: 'The server’s answer could not be understood: {detail}. Check the base URL.',
  webPage:
    'A web page answered, not a model. Check the base URL, or whether your network wants you to sign in.',
  webPageTitled:
    'A web page answered, not a model: “{title}”. Check the base URL, or whether your network wants you to sign in.',
  keychain: 'The keychain refused: {detail}. Unlock it and try again.',
  tool: 'A tool failed: {detail}.',
  noKey: '“{provider}” has no API key. Add it in Settings → Providers.',
  unreachable: '{host} cannot be reached. Check the network, or whether the server is running.',
  disconnected:
    '{host} closed the connection before it answered. It may have read the request. Try again.',
  notRunning: '{host} does not answer. Start “{provider}” or check the address, then try again.',
  timedOut: '{host} did not answer within {seconds} seconds. Try again.',
  unauthorized: 'The key was not accepted: {message}. Check it in Settings → Providers.',
  spent:
    'The account’s credit or quota is used up: {message}. Add to it at the provider, or wait until it is renewed, then try again.',
  forbidden: 'The provider does not allow this: {message}.',
  unknownModel: 'The provider does not offer {model}: {message}. Choose another model.',
  rateLimited: 'Too many requests: {message}. Try again in a while.',
  rateLimitedFor: {
    one: 'Too many requests: {message}. The provider asks you to wait {count} minute.',
    other: 'Too many requests: {message}. The provider asks you to wait {count} minutes.',
  },
  refusedPlain: 'The provider refused the request ({status}).',
  refused: 'The provider refused the request ({status}): {message}',
  tooLong:
    'The thread is too long for the model: {actual} of {limit} tokens. Compact it, choose a model with a larger window, or begin a new thread.',
  tooLongUnknown:
    'The thread is too long for the model: about {actual} tokens were sent, and the provider did not say how many fit. Compact it, choose a model with a larger window, or begin a new thread.',
  replyTooLong:
    'The reply did not end and was stopped at {megabytes} MB. What had arrived until then is kept.',
  stuck:
    'Even after compacting, at least {floor} tokens would remain; the limit is {limit}. Unpin messages, shorten the instructions, switch off tools, or choose a model with a larger window.',
  messageTooLong:
    'Together with what is always sent, this message has {tokens} tokens, but only {limit} fit. It is back in the message box: shorten it, or choose a model with a larger window.',
  pinsTooLarge:
    'Pinned messages would take {tokens} tokens, but at most {limit} can be pinned. Unpin another message first.',
  nothingToCover: 'There are no older messages to compact yet.',
  empty: 'The summary came back empty. Nothing was changed.',
  notShorter: 'The summary was not shorter than what it replaces. Nothing was changed.',
  cutOff: 'The summary was cut off. Nothing was changed.',
  tooLittleGained: 'Compacting would have gained too little. Nothing was changed.',
  changed: 'The thread changed meanwhile. Nothing was compacted.',
  cancelled: 'The compaction was cancelled. Nothing was changed.',
  modelFailed: 'The summary model failed. Nothing was changed.',
  overBudget: 'A budget is used up. No request was sent.',
  signIn_declined: 'You are not signed in: access was declined in the browser.',
  signIn_cancelled: 'The sign-in was stopped.',
  signIn_timedOut:
    'You are not signed in: the browser did not come back within five minutes. Try again.',
  signIn_failed:
    'Signing in failed: {detail}. The server may not offer it; a header with a token (Authorization: Bearer …) is another way.',
  databaseNewer:
    '{path} was written by a newer Skein (format {found}; this one reads up to {known}). Update Skein to open it.',
  databaseLocked: 'Another program is using {path}. Close that program, then try again.',
  databaseDamaged: '{path} is damaged. The latest copy: {backup}.',
  databaseMoved:
    '{path} is no longer where it was: it was moved, deleted or replaced while Skein runs. Nothing is written until it is back.',
  databaseForeign:
    '{path} holds something that no version of Skein makes ({object}), and is not opened: it could act on its own.',
  diskFull:
    '{path} cannot be written: the disk is full or read-only, or you may not write there. Make room or check the permissions, then try again.',
  diskFailing:
    'The disk reports an error at {path}: it may be failing. Copy your data to another disk first, then check this one.',
  settingsBroken:
    '{path} cannot be read ({detail}). The defaults are used, and the file is left as it is.',
  folder_relative:
    '“{path}” is not a full path. Begin with / or ~, or on Windows with a drive letter.',
  folder_missing: 'There is no folder {path}.',
  folder_notAFolder: '{path} is a file, not a folder.',
  folder_unreadable: '{path} cannot be read. Check its permissions, or choose another folder.',
  folder_root: 'That would open everything. Choose a folder inside it.',
  folder_home: 'That would open your whole home folder. Choose a folder inside it.',
  folder_elsewhere: '{path} leads to another folder than when you chose it: a link was put there.',
  folder_own: '{path} holds Skein’s own files. Choose another folder.',
  file_empty: '{name} is empty.',
  file_tooLarge: '{name} is larger than {size} MB, which is the most that is taken.',
  file_notText:
    '{name} was not attached. You can attach text, pictures (PNG, JPEG, GIF, WebP, BMP, TIFF), PDFs, and Word, Excel, OpenDocument spreadsheet and PowerPoint files.',
  file_locked: '{name} is protected with a password. Save it without one, and attach that copy.',
  file_noWords:
    '{name} has no text that can be read: it was probably scanned. Attach its pages as pictures instead.',
  file_otherOffice:
    '{name} is in an Office format that cannot be read here. Save it as .docx or .pptx, and attach that.',
  file_broken:
    '{name} is damaged and cannot be read. Open it in the program it comes from, save it again, and attach that.',
  file_unpacks:
    'The contents of {name} are larger than can be unpacked from one file ({size} MB). Attach only the part you need.',
  file_tooSlow:
    '{name} was not read within {seconds} seconds. Attach only the part you need, or save it again in the program it comes from.',
  file_unreadable: '{name} cannot be read.',
  file_notImage: '{name} is not a picture that can be shown here.',
  file_otherPicture:
    '{name} is a picture that cannot be read here, as HEIC photos are. Save it as JPEG or PNG, and attach that.',
  file_cutOff:
    '{name} ends in the middle: it was probably not saved whole. Export or download it again.',
  file_notJson: '{name} is neither JSON nor a ZIP archive. Choose the file as it was exported.',
  file_unknownFormat:
    '{name} is not an export from Skein, ChatGPT, Claude, Cherry Studio, Chatbox, Open WebUI or LibreChat. Choose a file that one of these exported.',
  file_newerFormat: '{name} was written by a newer Skein. Update Skein to read it.',
  file_misbuilt: '“{name}” is not in the expected format.',
  file_noConversation:
    'There are no messages in {name}. Choose the whole export, as it was downloaded.',
  file_cherrySnapshot:
    '{name} is a snapshot of Cherry Studio’s database, which only Cherry Studio can read. In its data settings, export to a file for the phone app, and import that.',
  file_notSkein: '{name} is not a Skein database. Choose a copy that Skein made.',
  file_foreignSchema:
    '{name} holds something that no version of Skein makes ({object}), and could act on its own. Choose a copy that Skein made.',
  file_damaged: '{name} is damaged and cannot replace the database. Choose another copy.',
} as const;
