/** /workflows: what spec/workflows says, where a tool finds it together with the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { ROOT } from '../../scripts/steps.ts';
import { WORKFLOW_IDS } from '../conformance/src/workflows/inputs.ts';
import { TestServer } from './support/server.ts';

const server = new TestServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const FOLDER = path.join(ROOT, 'spec', 'workflows');
const files = readdirSync(FOLDER).sort();
const read = async (route: string) => server.ask({ path: route, token: null, unchecked: true });

describe('the workflows', () => {
  test('are listed with what they show, each file once', async () => {
    const { status, headers, text } = await read('/workflows');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const { workflows } = JSON.parse(text) as {
      workflows: { href: string; title: string; summary: string; workflowIds: string[] }[];
    };
    expect(workflows.map(({ href }) => href)).toEqual(files.map((name) => `workflows/${name}`));
    const inFiles = files.map((name) => parse(readFileSync(path.join(FOLDER, name), 'utf8')));
    expect(workflows.map(({ title, summary, workflowIds }) => ({ title, summary, workflowIds }))).toEqual(
      inFiles.map(({ info, workflows: own }) => ({
        title: info.title,
        summary: info.summary,
        workflowIds: own.map(({ workflowId }: { workflowId: string }) => workflowId),
      })),
    );
  });

  test('are served as they are in spec/, but for the way to the contract, which leads to it', async () => {
    for (const name of files) {
      const { status, headers, text } = await read(`/workflows/${name}`);
      expect([status, headers['content-type']]).toEqual([200, 'application/yaml']);
      const inSpec = parse(readFileSync(path.join(FOLDER, name), 'utf8'));
      const [source] = parse(text).sourceDescriptions;
      expect({ ...parse(text), sourceDescriptions: inSpec.sourceDescriptions }).toEqual(inSpec);
      expect(new URL(source.url, `http://ledger/prefix/workflows/${name}`).pathname).toBe('/prefix/openapi.yaml');
      expect(path.join(FOLDER, inSpec.sourceDescriptions[0].url)).toBe(path.join(ROOT, 'generated', 'openapi.yaml'));
    }
  });

  test('can each be given signed inputs', () => {
    const ids = files.flatMap((name) =>
      parse(readFileSync(path.join(FOLDER, name), 'utf8')).workflows.map(
        ({ workflowId }: { workflowId: string }) => workflowId,
      ),
    );
    expect([...WORKFLOW_IDS].sort()).toEqual(ids.sort());
  });
});
