export const providers = {
  toProviders: 'Open providers',
  usage: 'Usage',
  usagePrompt: '{tokens} in',
  usageCached: '{share} of it cached',
  usageAnswer: '{tokens} out',
  usageSeconds: '{seconds} s',
  usageUnavailable: 'No usage was reported',
  usageExact:
    'Reported by the provider: prompt {prompt}, of it read from the cache {cached} and written to it {written}; answer {answer}, of it reasoning {reasoning}.',
  unknownCount: 'unknown',
  waysOut: 'Ways out',
  compact: 'Compact the conversation',
  breakdown: 'See what fills it',
  largerModel: 'Use a larger model',
  newThread: 'Begin a new thread',
  offline: 'This machine is offline. Models on this machine still answer.',
  foundHere: '{name} is running on this machine: use it',
  foundList: 'Running on this machine',
  used: '{name} is set up with {model}.',
  headers: 'Custom headers',
  headersHint:
    'One per line, as in “X-Team: wool”. They are kept readable in the settings file: a key belongs in the field above.',
  headersWrong: 'Each line needs a name, a colon and a value. Not saved yet.',
  keyFromEnvironment:
    'The key is taken from the environment variable {variable}, unless you type one.',
  keyMayBeInEnvironment:
    'No key is kept yet. It may also be in the environment variable {variable}.',
  switchTitle: 'Change the model?',
  switchNumbers: 'The conversation has {used} tokens; {model} takes {limit}.',
  switchGo: 'Use {model}',
  switchKeep: 'Keep {model}',
} as const;
