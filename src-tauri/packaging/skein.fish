complete -c skein -l data -r -a '(__fish_complete_directories)' -d 'Keep everything in this folder, the keys too, unencrypted.'
complete -c skein -l safe-mode -d 'Start no MCP server, and compact, clear or archive nothing automatically.'
complete -c skein -l help -s h -d 'Print this help and exit.'
complete -c skein -l version -s V -d 'Print the version and exit.'
