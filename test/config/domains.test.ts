import { expect, test } from 'vitest';
import { ownDomains } from '../../src/config/domains.js';
import { parseConfigFile } from '../../src/config/problems.js';
import { resolveConfig } from '../../src/config/resolve.js';

const domainsOf = (...urls: string[]) => {
  const sites = urls.map((url, index) => ({
    name: `site-${index}`,
    url,
    auth: { grant: 'password', username: 'u', password: 'p' },
  }));
  const text = JSON.stringify({ zvm: { sites }, domains: ['.corp.example.', 'Büro.example'] });
  return ownDomains(resolveConfig(parseConfigFile(text, 'x'), {}, '/', 'x'));
};

test('the operator’s domains, and those of the appliances’ own names', () => {
  expect(domainsOf('https://zvm.corp.example', 'https://zvm2.dr.example:9669/')).toEqual([
    'corp.example',
    'Büro.example',
    'dr.example',
  ]);
  expect(domainsOf('https://10.0.0.1', 'https://[2001:db8::1]', 'https://zvm', 'https://zvm.')).toEqual([
    'corp.example',
    'Büro.example',
  ]);
});

test.each(['', '*', '*.corp.example', 'corp..example', 'a b', '/', '.'])('%j is no domain', (domain) => {
  expect(() => parseConfigFile(JSON.stringify({ domains: [domain] }), 'x')).toThrow(/domains/);
});
