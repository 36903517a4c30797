# Runs a command beside a system in which programs can be started. Inside `unshare --mount`, so that the
# mounts end with it. Arguments: the system's root, the folder for what apt downloads, the command.
set -e
root=$1
downloads=$2
shift 2
# The display's socket and the test's folders are in /tmp.
for folder in dev proc sys tmp; do
  mount --rbind "/$folder" "$root/$folder"
done
mount --bind "$downloads" "$root/var/cache/apt/archives"
chroot "$root" apt-get -qq update
exec "$@"
