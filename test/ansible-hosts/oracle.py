"""What ansible-core itself makes of inventories and patterns.

Reads one JSON array on stdin, each item {"sources": [as for -i], "queries": [{"pattern": text, "limit"?: text}]}; writes one JSON array, each
item {"variables": {host: {name: value}}, "answers": [[host names] or null where ansible refuses]}.
"""
import json
import os
import sys

out = os.fdopen(os.dup(1), 'w')
sys.argv = ['ansible']
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

from ansible import context  # noqa: E402
from ansible.module_utils.common.collections import ImmutableDict  # noqa: E402

context.CLIARGS = ImmutableDict(extra_vars=(), verbosity=0)

from ansible.inventory.manager import InventoryManager  # noqa: E402
from ansible.parsing.dataloader import DataLoader  # noqa: E402
from ansible.plugins.vars import host_group_vars  # noqa: E402
from ansible.vars.manager import VariableManager  # noqa: E402

WANTED = ('ansible_host', 'ansible_connection', 'ansible_port')


def answer(case):
    host_group_vars.FOUND.clear()
    loader = DataLoader()
    try:
        inventory = InventoryManager(loader=loader, sources=case['sources'])
    except Exception:
        return {'variables': {}, 'answers': [None for _ in case['queries']]}
    manager = VariableManager(loader=loader, inventory=inventory)
    variables = {}
    for name, host in inventory.hosts.items():
        found = manager.get_vars(host=host, include_hostvars=False)
        variables[name] = {key: str(found[key]) for key in WANTED if key in found}
    answers = []
    for query in case['queries']:
        # Each is a run of its own: ansible keeps the first name of this machine that it was asked for.
        if inventory.localhost is not None and inventory.localhost.implicit:
            inventory._inventory.localhost = None
        inventory.clear_caches()
        try:
            inventory.subset(query.get('limit'))
            # Where a limit leaves nothing, a name of this machine is listed all the same, as a text.
            answers.append([each + ' (listed)' if isinstance(each, str) else each.name for each in inventory.list_hosts(query['pattern'])])
        except Exception:
            answers.append(None)
    return {'variables': variables, 'answers': answers}


json.dump([answer(case) for case in json.load(sys.stdin)], out)
out.flush()
