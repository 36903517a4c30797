# Runs a command beside an open keychain that is nobody's. Inside `dbus-run-session`.
printf test | gnome-keyring-daemon --foreground --unlock --components=secrets &
keychain=$!
until dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
  org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1
do
  # It ended before it began.
  kill -0 $keychain || exit 1
  sleep 0.1
done
"$@"
result=$?
kill $keychain
exit $result
