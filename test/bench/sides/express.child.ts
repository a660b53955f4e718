/**
 * Raw Express 5 with its defaults, the baseline: express.json and an answer. It answers a POST and the reads with the bytes that the
 * ledger answered; the parent sends those first, by the name of the read, and gets the port back.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** `POST`, `list10`, `list100`, `byId`, `account`: the text of each answer. */
export type Answers = Record<'POST' | 'list10' | 'list100' | 'byId' | 'account', string>;

process.once('message', (answers: Answers) => {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.post('/transactions', (_request, response) => {
    response.status(202).type('application/json').send(answers.POST);
  });
  app.get('/transactions', (request, response) => {
    response.type('application/json').send(request.query['limit'] === '100' ? answers.list100 : answers.list10);
  });
  app.get('/transactions/:id', (_request, response) => {
    response.type('application/json').send(answers.byId);
  });
  app.get('/accounts/:address', (_request, response) => {
    response.type('application/json').send(answers.account);
  });
  const server = createServer(app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
