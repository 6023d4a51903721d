-- A store of format 1, with one object, one that is gone, and history from version 10 on. Never change this file.
PRAGMA application_id = 1095126100;
PRAGMA user_version = 1;
CREATE TABLE revision (
  version INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  place TEXT NOT NULL,
  change INTEGER NOT NULL,
  time INTEGER NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL
);
CREATE TABLE compaction (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
INSERT INTO compaction VALUES (1, 10);
INSERT INTO revision VALUES (1, '/Namespace', '/default', 0, 1790000000000, '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default","uid":"00000000-0000-4000-8000-000000000009","creationTimestamp":"2026-09-21T13:33:20Z","labels":{"kubernetes.io/metadata.name":"default"},"resourceVersion":"1"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}', 2160751410);
INSERT INTO revision VALUES (20, '/ConfigMap', 'default/kept', 0, 1790000000000, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kept","namespace":"default","uid":"00000000-0000-4000-8000-000000000001","creationTimestamp":"2026-09-21T13:33:20Z","managedFields":[{"manager":"afloat","operation":"Update","apiVersion":"v1","time":"2026-09-21T13:33:20Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}],"resourceVersion":"20"},"data":{"a":"1"}}', 3108191195);
INSERT INTO revision VALUES (21, '/ConfigMap', 'default/kept', 1, 1790000000000, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kept","namespace":"default","uid":"00000000-0000-4000-8000-000000000001","creationTimestamp":"2026-09-21T13:33:20Z","managedFields":[{"manager":"afloat","operation":"Update","apiVersion":"v1","time":"2026-09-21T13:33:20Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}],"resourceVersion":"21"},"data":{"a":"2"}}', 2334294867);
INSERT INTO revision VALUES (22, '/ConfigMap', 'default/gone', 0, 1790000000000, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"gone","namespace":"default","uid":"00000000-0000-4000-8000-000000000002","creationTimestamp":"2026-09-21T13:33:20Z","managedFields":[{"manager":"afloat","operation":"Update","apiVersion":"v1","time":"2026-09-21T13:33:20Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}],"resourceVersion":"22"},"data":{"a":"1"}}', 2089170823);
INSERT INTO revision VALUES (23, '/ConfigMap', 'default/gone', 2, 1790000000000, '', 2119253041);
