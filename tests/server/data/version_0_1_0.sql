BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('a003');
CREATE TABLE chat (
	id INTEGER NOT NULL, 
	table_id VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	time DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "chat" VALUES(1,'33vstzn4wa',0,'Ann','hello from version 0.1.0','2026-11-15 19:55:29.745038');
CREATE TABLE keys (
	digest BLOB NOT NULL, 
	table_id VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	PRIMARY KEY (digest, table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "keys" VALUES(X'521A07ABA664745071A6782BA99DD9378DCF8C24BF3D396D87A66466259D3A56','33vstzn4wa',0,'browser');
INSERT INTO "keys" VALUES(X'521A07ABA664745071A6782BA99DD9378DCF8C24BF3D396D87A66466259D3A56','33vstzn4wa',-5,'browser');
INSERT INTO "keys" VALUES(X'13DFE06F52B598646ECCD79206132784DDE2B643499143125AAA65B5A6234EA1','33vstzn4wa',-5,'link');
INSERT INTO "keys" VALUES(X'521A07ABA664745071A6782BA99DD9378DCF8C24BF3D396D87A66466259D3A56','7szwikgt6p',-5,'browser');
INSERT INTO "keys" VALUES(X'6B633A6971694A3973B6BE7D41FA663941D7B63BEB62C9380867B05C88EC8C70','7szwikgt6p',-5,'link');
CREATE TABLE plies (
	table_id VARCHAR(16) NOT NULL, 
	ply INTEGER NOT NULL, 
	who INTEGER NOT NULL, 
	action INTEGER NOT NULL, 
	PRIMARY KEY (table_id, ply), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "plies" VALUES('33vstzn4wa',1,-1,3);
INSERT INTO "plies" VALUES('33vstzn4wa',2,-1,14);
INSERT INTO "plies" VALUES('33vstzn4wa',3,0,769);
INSERT INTO "plies" VALUES('33vstzn4wa',4,-1,13);
INSERT INTO "plies" VALUES('33vstzn4wa',5,1,3607);
INSERT INTO "plies" VALUES('33vstzn4wa',6,-1,10);
INSERT INTO "plies" VALUES('33vstzn4wa',7,0,3330);
INSERT INTO "plies" VALUES('33vstzn4wa',8,-1,5);
INSERT INTO "plies" VALUES('33vstzn4wa',9,1,2565);
INSERT INTO "plies" VALUES('33vstzn4wa',10,-1,1);
INSERT INTO "plies" VALUES('33vstzn4wa',11,0,1283);
INSERT INTO "plies" VALUES('33vstzn4wa',12,-1,10);
INSERT INTO "plies" VALUES('33vstzn4wa',13,1,264);
INSERT INTO "plies" VALUES('33vstzn4wa',14,-1,2);
INSERT INTO "plies" VALUES('7szwikgt6p',1,0,217);
INSERT INTO "plies" VALUES('7szwikgt6p',2,1,490);
INSERT INTO "plies" VALUES('7szwikgt6p',3,0,185);
INSERT INTO "plies" VALUES('7szwikgt6p',4,1,353);
INSERT INTO "plies" VALUES('7szwikgt6p',5,0,622);
INSERT INTO "plies" VALUES('7szwikgt6p',6,1,330);
INSERT INTO "plies" VALUES('7szwikgt6p',7,0,565);
INSERT INTO "plies" VALUES('7szwikgt6p',8,1,271);
INSERT INTO "plies" VALUES('7szwikgt6p',9,0,631);
INSERT INTO "plies" VALUES('7szwikgt6p',10,1,119);
INSERT INTO "plies" VALUES('7szwikgt6p',11,0,717);
INSERT INTO "plies" VALUES('7szwikgt6p',12,1,643);
INSERT INTO "plies" VALUES('7szwikgt6p',13,0,333);
INSERT INTO "plies" VALUES('7szwikgt6p',14,1,715);
INSERT INTO "plies" VALUES('7szwikgt6p',15,0,418);
INSERT INTO "plies" VALUES('7szwikgt6p',16,1,901);
INSERT INTO "plies" VALUES('7szwikgt6p',17,0,803);
INSERT INTO "plies" VALUES('7szwikgt6p',18,1,690);
INSERT INTO "plies" VALUES('7szwikgt6p',19,0,455);
INSERT INTO "plies" VALUES('7szwikgt6p',20,1,698);
INSERT INTO "plies" VALUES('7szwikgt6p',21,0,871);
INSERT INTO "plies" VALUES('7szwikgt6p',22,1,827);
INSERT INTO "plies" VALUES('7szwikgt6p',23,0,847);
INSERT INTO "plies" VALUES('7szwikgt6p',24,1,814);
INSERT INTO "plies" VALUES('7szwikgt6p',25,1,726);
INSERT INTO "plies" VALUES('7szwikgt6p',26,0,236);
INSERT INTO "plies" VALUES('7szwikgt6p',27,1,200);
INSERT INTO "plies" VALUES('7szwikgt6p',28,0,434);
INSERT INTO "plies" VALUES('7szwikgt6p',29,1,894);
INSERT INTO "plies" VALUES('7szwikgt6p',30,0,184);
INSERT INTO "plies" VALUES('7szwikgt6p',31,1,448);
INSERT INTO "plies" VALUES('7szwikgt6p',32,0,501);
INSERT INTO "plies" VALUES('7szwikgt6p',33,1,370);
INSERT INTO "plies" VALUES('7szwikgt6p',34,0,496);
INSERT INTO "plies" VALUES('7szwikgt6p',35,1,645);
INSERT INTO "plies" VALUES('7szwikgt6p',36,0,677);
INSERT INTO "plies" VALUES('7szwikgt6p',37,1,264);
INSERT INTO "plies" VALUES('7szwikgt6p',38,0,906);
INSERT INTO "plies" VALUES('7szwikgt6p',39,1,422);
INSERT INTO "plies" VALUES('7szwikgt6p',40,0,882);
INSERT INTO "plies" VALUES('7szwikgt6p',41,1,714);
INSERT INTO "plies" VALUES('7szwikgt6p',42,0,670);
INSERT INTO "plies" VALUES('7szwikgt6p',43,1,661);
INSERT INTO "plies" VALUES('7szwikgt6p',44,0,577);
INSERT INTO "plies" VALUES('7szwikgt6p',45,1,782);
INSERT INTO "plies" VALUES('7szwikgt6p',46,0,617);
INSERT INTO "plies" VALUES('7szwikgt6p',47,1,773);
INSERT INTO "plies" VALUES('7szwikgt6p',48,0,918);
CREATE TABLE results (
	table_id VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	players INTEGER NOT NULL, 
	moves INTEGER NOT NULL, 
	who VARCHAR(8) NOT NULL, 
	level VARCHAR(40) NOT NULL, 
	score INTEGER NOT NULL, 
	share FLOAT NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "results" VALUES('7szwikgt6p',0,'passerelles',2,48,'bot','random',16,1.0);
INSERT INTO "results" VALUES('7szwikgt6p',1,'passerelles',2,48,'bot','random',4,0.0);
CREATE TABLE review_decisions (
	table_id VARCHAR(16) NOT NULL, 
	ply INTEGER NOT NULL, 
	decision JSON NOT NULL, 
	PRIMARY KEY (table_id, ply), 
	FOREIGN KEY(table_id) REFERENCES reviews (table_id) ON DELETE CASCADE
);
CREATE TABLE reviews (
	table_id VARCHAR(16) NOT NULL, 
	simulations INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	total INTEGER NOT NULL, 
	started DATETIME NOT NULL, version INTEGER DEFAULT '1' NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	settings JSON NOT NULL, 
	names JSON NOT NULL, 
	seats JSON NOT NULL, 
	seed BLOB, 
	host BLOB NOT NULL, 
	version INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	to_move INTEGER NOT NULL, 
	over BOOLEAN NOT NULL, 
	pace JSON NOT NULL, 
	undo_request JSON, 
	has_open_seat BOOLEAN NOT NULL, 
	created DATETIME NOT NULL, 
	updated DATETIME NOT NULL, kind VARCHAR(8) DEFAULT 'played' NOT NULL, origin VARCHAR(16) DEFAULT '' NOT NULL, origin_ply INTEGER DEFAULT '0' NOT NULL, commitment VARCHAR(64) DEFAULT '' NOT NULL, dice_since INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('33vstzn4wa','cable-car','{"companies": false, "rotation": false, "hand": 1}','["Ann", "Random mover 2"]','[{"who": "person", "level": "", "open": false, "taken": true}, {"who": "bot", "level": "random", "open": false, "taken": true}]',X'17A22B4B968E9CE43D32C17D36464BC7F076B44E05AF416669AE9630015D937F',X'521A07ABA664745071A6782BA99DD9378DCF8C24BF3D396D87A66466259D3A56',7,14,0,0,'{"seconds": 0.0, "paused": false}','null',0,'2026-11-15 19:55:27.207759','2026-11-15 19:55:29.743638','played','',0,'2ddcd599eb58c1ef05cd7eab66f06b9da23e5c2d0c1103c34428cbc9ead6e425',0);
INSERT INTO "tables" VALUES('7szwikgt6p','passerelles','{"rounds": 2, "landscape": "none", "landscape_file": null, "diagonal": "closed"}','["Random mover 1", "Random mover 2"]','[{"who": "bot", "level": "random", "open": false, "taken": true}, {"who": "bot", "level": "random", "open": false, "taken": true}]',NULL,X'521A07ABA664745071A6782BA99DD9378DCF8C24BF3D396D87A66466259D3A56',49,48,-4,1,'{"seconds": 0.0, "paused": false}','null',0,'2026-11-15 19:55:29.892634','2026-11-15 19:55:30.041526','played','',0,'',0);
CREATE INDEX tables_open ON tables (has_open_seat, updated);
CREATE INDEX tables_running ON tables (over, updated);
CREATE INDEX keys_of_table ON keys (table_id);
CREATE INDEX chat_of_table ON chat (table_id, id);
CREATE INDEX tables_origin ON tables (origin);
CREATE INDEX results_of_game ON results (game, players);
COMMIT;
