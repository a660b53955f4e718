/** Where webhooks of this server may be sent, as its configuration says. @module */
import type { TargetRules } from '../gateway/webhooks/target.ts';
import type { Config } from './config.ts';

/** A development server that other machines reach must not ask this machine for them. */
export function webhookTargets({
  mode,
  publicDev,
  webhookAllowPrivate,
}: Pick<Config, 'mode' | 'publicDev' | 'webhookAllowPrivate'>): TargetRules {
  return { loopback: mode === 'development' && !publicDev, allowed: webhookAllowPrivate };
}
