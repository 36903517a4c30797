/**
 * Maps the language names that models write to grammars.
 */
const aliases = new Map(
  Object.entries({
    'c++': 'cpp',
    'c#': 'csharp',
    bash: 'shellscript',
    cc: 'cpp',
    cjs: 'javascript',
    console: 'shellscript',
    cs: 'csharp',
    dockerfile: 'docker',
    golang: 'go',
    h: 'c',
    hpp: 'cpp',
    hs: 'haskell',
    htm: 'html',
    js: 'javascript',
    jsonc: 'json',
    kt: 'kotlin',
    makefile: 'make',
    md: 'markdown',
    mjs: 'javascript',
    objc: 'objective-c',
    patch: 'diff',
    pl: 'perl',
    ps1: 'powershell',
    py: 'python',
    python3: 'python',
    rb: 'ruby',
    rs: 'rust',
    sh: 'shellscript',
    shell: 'shellscript',
    svg: 'xml',
    tex: 'latex',
    ts: 'typescript',
    yml: 'yaml',
    zsh: 'shellscript',
  }),
);

/** The grammar for the language of a code fence. */
export const grammarFor = (language: string) => aliases.get(language) ?? language;

/** The file extension of each grammar; others are saved as text. */
const fileExtensions = new Map(
  Object.entries({
    bat: 'bat',
    c: 'c',
    cpp: 'cpp',
    csharp: 'cs',
    css: 'css',
    csv: 'csv',
    diff: 'diff',
    go: 'go',
    haskell: 'hs',
    html: 'html',
    java: 'java',
    javascript: 'js',
    json: 'json',
    jsx: 'jsx',
    julia: 'jl',
    kotlin: 'kt',
    latex: 'tex',
    lua: 'lua',
    markdown: 'md',
    'objective-c': 'm',
    perl: 'pl',
    php: 'php',
    powershell: 'ps1',
    python: 'py',
    r: 'r',
    ruby: 'rb',
    rust: 'rs',
    scala: 'scala',
    shellscript: 'sh',
    sql: 'sql',
    swift: 'swift',
    toml: 'toml',
    tsx: 'tsx',
    typescript: 'ts',
    vue: 'vue',
    xml: 'xml',
    yaml: 'yaml',
  }),
);

/** The file extension for the language of a code fence, without a dot. */
export const fileExtensionFor = (language: string) =>
  fileExtensions.get(grammarFor(language.toLowerCase())) ?? 'txt';
