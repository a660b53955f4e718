/** Where webhooks of this server may be sent, as its configuration says. @module */
import { parseAllowedTarget, type TargetRules } from '../gateway/webhooks/target.ts';
import type { Config } from './config.ts';

/** A development server that other machines reach must not ask this machine for them. */
export function webhookTargets({
  mode,
  publicDev,
  webhookAllowPrivate,
}: Pick<Config, 'mode' | 'publicDev' | 'webhookAllowPrivate'>): TargetRules {
  return {
    loopback: mode === 'development' && !publicDev,
    // Each was read once when the configuration was, which refuses those that cannot be.
    allowed: webhookAllowPrivate.map(parseAllowedTarget).filter((entry) => typeof entry !== 'string'),
  };
}
