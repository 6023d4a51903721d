# Starts HAProxy on the addresses of the machine. Which routes there are it reads from the folder that it shares with Afloat: one that was killed
# comes back with the shares that were set last.
set -eu
mkdir -p "$FOLDER/routes"
chgrp "$GROUP" "$FOLDER" "$FOLDER/routes"
chmod 2770 "$FOLDER" "$FOLDER/routes"
cat >/etc/haproxy/haproxy.cfg <<END
global
  maxconn $CONNECTIONS
  user haproxy
  group haproxy
  stats socket /tmp/own.sock mode 600 level user
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout queue 30s
  timeout http-request 30s
  timeout http-keep-alive 75s
  option http-server-close
  option idle-close-on-response
  option forwardfor
frontend afloat-health
  bind $HEALTH_PLACE
  http-request return status 200 content-type text/plain string "well" if { path /health }
  stats enable
  stats uri /stats
$CONFIG
END
haproxy -W -S "$FOLDER/master.sock,mode,660,gid,$GROUP" -f /etc/haproxy/haproxy.cfg -f "$FOLDER/routes" &
# Told to end it takes nothing new, and ends with its last client.
trap 'kill -USR1 $!' TERM
wait $! && exit 0 || status=$?
# A signal ends the first wait only.
if [ "$status" -gt 128 ] && kill -0 $! 2>/dev/null; then wait $! && status=0 || status=$?; fi
exit "$status"
