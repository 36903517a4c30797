/**
 * The names models give to languages, where they differ from the names of their grammars.
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

/** The name of the grammar that a fence's language would have. */
export const grammarName = (language: string) => aliases.get(language) ?? language;
