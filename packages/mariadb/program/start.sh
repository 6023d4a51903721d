# Starts the server on its folder, which is made at the first start. Accounts that others need are there before anybody is let in.
set -eu
data=/var/lib/mysql
chown mysql:mysql "$data" /run/mysqld
if [ ! -d "$data/mysql" ]; then
  # Under another name until all of it is there: who is cut off begins anew.
  rm -rf "$data/new" && mkdir "$data/new" && chown mysql:mysql "$data/new"
  mariadb-install-db --user=mysql --datadir="$data/new" --auth-root-authentication-method=socket --skip-test-db >/dev/null
  for one in "$data/new"/*; do [ "$one" = "$data/new/mysql" ] || mv "$one" "$data/"; done
  mv "$data/new/mysql" "$data/mysql"
fi
rm -rf "$data/new"
password=$(cat /run/secrets/mariadb/password)
umask 077
cat >/run/mysqld/first.sql <<SQL
CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '$password';
ALTER USER 'root'@'%' IDENTIFIED BY '$password';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
CREATE USER IF NOT EXISTS 'ready'@'localhost';
SQL
chown mysql:mysql /run/mysqld/first.sql
exec mariadbd --no-defaults --user=mysql --datadir="$data" --socket=/run/mysqld/mysqld.sock --bind-address=0.0.0.0 \
  --init-file=/run/mysqld/first.sql --skip-name-resolve --character-set-server=utf8mb4 --max-connections="$CONNECTIONS" \
  --innodb-buffer-pool-size="$BUFFER" --innodb-flush-log-at-trx-commit=1 --log-bin=bin --server-id=1 --binlog-format=ROW \
  --sync-binlog=1 --expire-logs-days=7
