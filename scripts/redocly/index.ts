/**
 * Rules of the contract that Redocly's own rules cannot express. redocly.yaml enables each rule;
 * test/contract/lint.test.ts breaks each and checks that it fails.
 */
import { answerHeaders } from './answer-headers.ts';
import { boundedValues } from './bounded-values.ts';
import { describedProperties } from './described-properties.ts';
import { generatorSubset } from './generator-subset.ts';
import { knownScopes } from './known-scopes.ts';
import { listedProblems } from './listed-problems.ts';
import { namedExamples } from './named-examples.ts';
import { namedParts } from './named-parts.ts';
import { noOrphans } from './no-orphans.ts';
import { openAnswers } from './open-answers.ts';
import { openKinds } from './open-kinds.ts';
import { pathNames } from './path-names.ts';
import { places } from './places.ts';
import { problemDetails } from './problem-details.ts';
import { propertyNames } from './property-names.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { rpcOperations } from './rpc-operations.ts';
import { strictReferences } from './strict-references.ts';
import { uniqueNames } from './unique-names.ts';

export default function contractPlugin() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'answer-headers': answerHeaders,
        'bounded-values': boundedValues,
        'described-properties': describedProperties,
        'generator-subset': generatorSubset,
        'known-scopes': knownScopes,
        'listed-problems': listedProblems,
        'named-examples': namedExamples,
        'named-parts': namedParts,
        'no-orphans': noOrphans,
        'open-answers': openAnswers,
        'open-kinds': openKinds,
        'path-names': pathNames,
        places,
        'problem-details': problemDetails,
        'property-names': propertyNames,
        'rate-limit-headers': rateLimitHeaders,
        'rpc-operations': rpcOperations,
        'strict-references': strictReferences,
        'unique-names': uniqueNames,
      },
    },
  };
}
