/** Names that give programs a host or the way to it: `RSYNC_RSH`, `GIT_SSH_COMMAND`, `PGHOST`, `DOCKER_HOST`, `DATABASE_URL`. */
const LEADS =
  /(?:RSH|SSH|SSH_COMMAND|PROXY_COMMAND|CONNECT_PROG|HOST|HOSTS|HOSTADDR|SERVER|KUBECONFIG)$|^(?:RSYNC_PROXY|PGSERVICE|PGSERVICEFILE|DOCKER_CONTEXT|(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MARIADB|REDIS|MONGO|MONGODB|AMQP|RABBITMQ)_(?:URL|URI|DSN)|(?:VAULT|NOMAD|CONSUL_HTTP)_ADDR|ETCDCTL_ENDPOINTS|GIT_CONFIG\w*|ANSIBLE_\w*(?:INVENTORY|ARGS|EXECUTABLE|CONFIG))$/;
/** Those whose value is the host itself, or has it in a URL. */
const NAMES_IT = /(?:HOST|HOSTADDR|SERVER|_URL|_URI|_DSN|_ADDR)$/;
/** This machine by its names, and sockets of it. What stands behind `?` may be another host. */
const HERE =
  /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/@?#]*@)?)?(?:|localhost(?:\.localdomain)?|127(?:\.[0-9]+){3}|\[?::1\]?)(?::[0-9]+)?(?:\/[^?#]*)?$/i;

/** Whether a variable of this name and value (undefined: not known) may lead the commands that get it to another machine. */
export function leads(name: string, value: string | undefined): boolean {
  return LEADS.test(name) && !(value !== undefined && NAMES_IT.test(name) && HERE.test(value));
}

/** Variables by which a program's name, or its code, may become another one's. */
export const HIDES = /^(?:PATH|ENV|BASH_ENV|LD_\w+|DYLD_\w+)$/;
