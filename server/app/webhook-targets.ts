/** Where webhooks of this server may be sent, as its configuration says. @module */
import type { TargetRules } from '../gateway/webhooks/target.ts';
import type { Config } from './config.ts';

export function webhookTargets({ mode, webhookAllowPrivate }: Pick<Config, 'mode' | 'webhookAllowPrivate'>): TargetRules {
  return { loopback: mode === 'development', allowed: webhookAllowPrivate };
}
