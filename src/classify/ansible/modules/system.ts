import type { Collection } from './types.js';

export const POSIX: Collection = {
  name: 'ansible.posix',
  read_only: 'firewalld_info rhel_facts',
  unrouted: 'firewalld_info rhel_facts',
  mutating: `
    acl at authorized_key firewalld mount patch rhel_rpm_ostree rpm_ostree_upgrade seboolean selinux synchronize
    sysctl`,
};

export const CRYPTO: Collection = {
  name: 'community.crypto',
  read_only: `
    acme_account_info acme_challenge_cert_helper certificate_complete_chain crypto_info get_certificate
    openssl_csr_info openssl_privatekey_info openssl_publickey_info openssl_signature openssl_signature_info
    x509_certificate_info x509_crl_info`,
  unrouted: `
    crypto_info openssl_publickey_info openssl_signature openssl_signature_info x509_certificate_info`,
  mutating: `
    acme_account acme_certificate acme_certificate_revoke acme_inspect ecs_certificate ecs_domain luks_device
    openssh_cert openssh_keypair openssl_csr openssl_csr_pipe openssl_dhparam openssl_pkcs12 openssl_privatekey
    openssl_privatekey_convert openssl_privatekey_pipe openssl_publickey x509_certificate x509_certificate_pipe
    x509_crl`,
};
