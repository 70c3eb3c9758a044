import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';
import { coverage } from '../../src/domain/assessment.js';

const covers = (command: string): string => coverage(classifyCommand('bash', command));

describe('what a checkpoint of the VM covers', () => {
  it.each([
    "ssh db01 'rm x'",
    'ssh -p 22 root@db01 "systemctl restart x; touch y"',
    'ssh "$h" rm x',
    'sudo ssh db01 \'sudo sh -c "rm x"\'',
    "for h in a b; do ssh $h 'touch x'; done",
    'ssh db01 foo',
    'kubectl delete pod x',
    'kubectl exec web -- rm x',
    'oc scale deploy/x --replicas=1',
    'kubectl -n a exec web -- sh -c "rm x; touch y"',
    'helm upgrade a b',
    'docker -H tcp://h:2375 rm x',
    'docker --context prod stop x',
    'docker -H ssh://h exec web rm x',
    'psql -h db01 -c "delete from t"',
    'psql --host=db01 -c "drop table t"',
    'psql postgresql://u:p@db01/app -c "drop table t"',
    'mysql -hdb01 -e "drop table t"',
    'mysql -h "$h" -e "drop table t"',
    'mysqladmin --host db01 shutdown',
    'redis-cli -h cache flushall',
    'aws ec2 terminate-instances --instance-ids i',
    'aws s3 rm s3://a/b',
    'az vm delete -n x',
    'gcloud compute instances delete x',
    'terraform apply -auto-approve',
    'terraform plan',
    'virsh -c qemu+ssh://h/system destroy x',
    'consul kv put a b',
    "ansible web -m shell -a 'rm x'",
  ])('nothing of %j', (command) => {
    expect(covers(command)).toBe('elsewhere');
  });

  it.each([
    'rm x',
    "ssh localhost 'rm x'",
    'ssh root@127.0.0.1 rm x',
    'ssh db01 cat f > x',
    'ssh db01 cat f | tee x',
    'kubectl get pods > x',
    'kubectl config use-context x',
    'kubectl cp web:/a b',
    'helm repo add a b',
    'docker rm x',
    'docker exec web rm x',
    'docker -H unix:///var/run/docker.sock rm x',
    'docker --context default rm x',
    'psql -c "delete from t"',
    'psql -h /var/run/postgresql -c "delete from t"',
    'psql -h localhost -c "delete from t"',
    'psql postgresql:///app -c "delete from t"',
    'mysql -h 127.0.0.1 -e "drop table t"',
    'redis-cli flushall',
    'aws configure set a b',
    'aws s3 cp s3://a/b c',
    'terraform init',
    'virsh -c qemu:///system destroy x',
    "ansible localhost -m shell -a 'rm x'",
    'foo',
  ])('all of %j', (command) => {
    expect(covers(command)).toBe('vm');
  });

  it.each([
    'ssh db01 "$(touch x)"',
    "rm x; ssh db01 'rm x'",
    'kubectl delete pod x && touch y',
    'mysql -h db01 -e "drop table t" > x',
    'sudo rm x; aws s3 rm s3://a/b',
  ])('a part of %j', (command) => {
    expect(covers(command)).toBe('partly');
  });
});
