/** The targets that webhooks of this server may be sent to, from its configuration. @module */
import { parseAllowedTarget, type TargetRules } from '../gateway/webhooks/target.ts';
import type { Config } from './config.ts';

/** A development server that other machines reach must not send requests to this machine for them. */
export function webhookTargets({
  mode,
  publicDev,
  webhookAllowPrivate,
}: Pick<Config, 'mode' | 'publicDev' | 'webhookAllowPrivate'>): TargetRules {
  return {
    loopback: mode === 'development' && !publicDev,
    // Each entry can be parsed: the configuration refuses others.
    allowed: webhookAllowPrivate.map(parseAllowedTarget).filter((entry) => typeof entry !== 'string'),
  };
}
