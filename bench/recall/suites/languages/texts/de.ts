import type { Language } from "../language.ts";

export const de: Language = {
  code: "de",
  everyday: {
    frame: "{who} {verb} {when} {object}.",
    who: "Anna;Lukas;Sabine;Matthias;Katharina;Stefan;Birgit;Florian;Heike;Jürgen;Lena;Dieter",
    when: "am Donnerstag;am Wochenende;morgen;heute Abend;nächste Woche;mittags;nach dem Mittagessen;abends;heute Nachmittag;im April;im November;am Monatsersten;um sieben;um halb zehn",
    deeds: [
      "schreibt;liest;prüft;verschickt;unterschreibt|den Brief;den Vertrag;die Rechnung;den Bericht;das Bestellformular;die Gästeliste;die Pressemitteilung",
      "verkauft;repariert;putzt;kauft;fotografiert|das Fahrrad;das alte Sofa;die Lampe;das Holzboot;die Wanduhr;das Bücherregal;den Küchentisch",
      "trifft;besucht;befragt|den Architekten;die Bürgermeisterin;den Gärtner;die Journalistin;den Fotografen;die Schneiderin;den Imker",
      "testet;verbessert;erklärt|den Warenkorb;das Diagramm;die Druckvorlage;die Startseite;die Bildergalerie;das Kontaktformular",
    ],
  },
  facts: `
    1 Marta ist gegen Erdnüsse allergisch und hat immer einen Adrenalin-Pen dabei. => Wogegen ist Marta allergisch? => Was darf nicht ins Essen, wenn wir für Marta kochen?
    2 Der Nutzer möchte kurze Antworten ohne Aufzählungspunkte. => Was für Antworten möchte der Nutzer? => Wie lang sollen Erwiderungen sein und in welcher Form?
    3 Jonas trinkt seinen Kaffee schwarz, ohne Zucker. => Wie trinkt Jonas seinen Kaffee? => Nimmt Jonas Milch in seine Heißgetränke?
    4 Im Editor bevorzugt der Nutzer ein dunkles Farbschema mit großer Schrift. => Welches Farbschema bevorzugt der Nutzer im Editor? => Wie soll die Entwicklungsumgebung aussehen?
    5 Unsere Tochter liebt Dinosaurier über alles. => Was liebt unsere Tochter am meisten? => Mit welchem Geschenk würde sich unsere Kleine freuen?
    6 Ines ist seit zehn Jahren Vegetarierin. => Seit wann ist Ines Vegetarierin? => Isst Ines Fleisch?
    7 Auf Flügen bucht der Nutzer immer einen Fensterplatz. => Welchen Platz bucht der Nutzer auf Flügen? => Wo sitzt der Nutzer im Flugzeug am liebsten?
    8 Meine Mutter hört nur klassische Musik, vor allem Bach. => Welche Musik hört meine Mutter? => Über welche Konzertkarten würde sich meine Mama freuen?
    9 Tomas leitet seit März das Zahlungsteam. => Wer leitet das Zahlungsteam? => Wer ist für die Leute verantwortlich, die an der Abrechnung arbeiten?
    10 Priya hat am 14. Oktober Geburtstag. => Wann hat Priya Geburtstag? => An welchem Tag sollten wir Priya gratulieren?
    11 Mein Nachbar, Herr Keller, ist Schreiner im Ruhestand. => Was war der Beruf meines Nachbarn, Herrn Keller? => Was hat der Mann von nebenan früher beruflich gemacht?
    12 Unser Buchhalter ist nur dienstagvormittags telefonisch erreichbar. => Wann ist unser Buchhalter telefonisch erreichbar? => Wann kann ich den anrufen, der unsere Steuern macht?
    13 Sofia spricht fließend Portugiesisch und Niederländisch. => Welche Sprachen spricht Sofia? => Wer könnte uns einen Brief aus Lissabon übersetzen?
    14 Die neue Praktikantin fängt am 1. September an. => Wann fängt die neue Praktikantin an? => Wann kommt die Auszubildende zu uns?
    15 Unser Vermieter lebt im Ausland und antwortet nur per E-Mail. => Wo lebt unser Vermieter? => Wie erreiche ich den Eigentümer der Wohnung?
    16 Mein Bruder ist letzten Sommer nach Oslo gezogen. => Wohin ist mein Bruder gezogen? => In welcher Stadt wohnt mein Bruder jetzt?
    17 Die mobile App muss vor der Messe im Mai fertig sein. => Wann muss die mobile App fertig sein? => Bis wann müssen wir die Anwendung fürs Smartphone liefern?
    18 Der Kunde hat unseren ersten Entwurf abgelehnt, weil er zu bunt war. => Warum hat der Kunde unseren ersten Entwurf abgelehnt? => Warum gefiel dem Auftraggeber die anfängliche Gestaltung nicht?
    19 Das Budget für das neue Lager beträgt 80.000 Euro. => Wie hoch ist das Budget für das neue Lager? => Wie viel Geld dürfen wir für die Lagerhalle ausgeben?
    20 Die Übersetzung des Handbuchs liegt zwei Wochen hinter dem Zeitplan. => Wie weit liegt die Übersetzung des Handbuchs hinter dem Zeitplan? => Wie sehr verspäten sich die Anleitungen in anderen Sprachen?
    21 Der Pilotversuch im Krankenhaus wurde vorzeitig beendet, weil sich die Pflegekräfte über langsame Bildschirme beschwerten. => Warum wurde der Pilotversuch im Krankenhaus vorzeitig beendet? => Warum wurde der Test in der Klinik abgebrochen?
    22 Der Codename für die Neufassung der Suche lautet Heron. => Wie lautet der Codename für die Neufassung der Suche? => Wie nennen wir die neue Suchmaschine intern?
    23 Am ersten Montag jedes Monats wird eine neue Version veröffentlicht. => Wann wird eine neue Version veröffentlicht? => Wie oft erscheinen Releases?
    24 Das Wetter-Widget wird unter der MIT-Lizenz quelloffen. => Unter welcher Lizenz erscheint das Wetter-Widget? => Zu welchen rechtlichen Bedingungen geben wir den Code der Vorhersage-Komponente weiter?
    25 In der Staging-Umgebung lauscht Postgres auf Port 5433. => Welchen Port benutzt Postgres in der Staging-Umgebung? => Wie verbinde ich mich mit der Testdatenbank?
    26 Backups laufen jede Nacht um drei und werden dreißig Tage aufbewahrt. => Wie lange werden Backups aufbewahrt? => Wie lange lassen sich verlorene Daten wiederherstellen?
    27 Alarme gehen in den Kanal #on-call und werden nicht gemailt. => Wohin gehen Alarme? => Wo tauchen Warnungen bei einem Ausfall auf?
    28 Jeder API-Schlüssel darf hundert Anfragen pro Minute stellen. => Wie viele Anfragen pro Minute darf ein API-Schlüssel stellen? => Wie oft darf ein Client unsere Schnittstelle aufrufen, bevor er gedrosselt wird?
    29 Hochgeladene Bilder dürfen nicht größer als 10 Megabyte sein. => Wie groß dürfen hochgeladene Bilder sein? => Wie groß kann eine Fotodatei sein?
    30 Die Produktivserver stehen in Frankfurt. => Wo stehen die Produktivserver? => Wo wird unser Live-System betrieben?
    31 Passwörter gehören in den Tresor, niemals in Umgebungsdateien. => Wohin gehören Passwörter? => Wo sollen Geheimnisse abgelegt werden?
    32 Das Zertifikat der Website läuft am 30. November ab. => Wann läuft das Zertifikat der Website ab? => Bis wann müssen wir TLS erneuern?
    33 Eine Sitzung endet nach fünfzehn Minuten ohne Aktivität. => Nach wie vielen Minuten ohne Aktivität endet eine Sitzung? => Wann wird ein untätiger Benutzer automatisch abgemeldet?
    34 Wir haben uns für Kafka statt RabbitMQ entschieden, weil Nachrichten erneut abspielbar sein müssen. => Warum haben wir uns für Kafka entschieden? => Welchen Message-Broker haben wir gewählt und aus welchem Grund?
    35 Das Team hat beschlossen, den Internet Explorer nicht mehr zu unterstützen. => Welchen Browser unterstützt das Team nicht mehr? => Welcher Browser ist uns inzwischen egal?
    36 Die Preise steigen im Januar um fünf Prozent. => Um wie viel steigen die Preise im Januar? => Wie viel mehr zahlen die Kunden nächstes Jahr?
    37 Vor dem Sommer stellen wir niemanden ein. => Wann stellen wir wieder Leute ein? => Gibt es derzeit offene Stellen?
    38 Alle Datumsangaben werden in UTC gespeichert. => In welcher Zeitzone werden Datumsangaben gespeichert? => Welche Zeitzone verwenden wir beim Sichern von Zeitstempeln?
    39 Das Büro bleibt zwischen Weihnachten und Neujahr geschlossen. => Wann ist das Büro geschlossen? => Arbeitet in der letzten Dezemberwoche jemand?
    40 Jede Änderung braucht die Zustimmung von zwei Prüfern. => Wie viele Prüfer müssen einer Änderung zustimmen? => Wie viele Leute müssen einen Pull Request ansehen, bevor er gemergt wird?
    41 Die Wochenplanung wurde von Montag auf Mittwoch um zehn verlegt. => Wann findet die Wochenplanung statt? => Wann setzen wir uns zusammen, um die Woche zu planen?
    42 In der Vorstandssitzung hat Nadia die Verkaufszahlen vorgestellt. => Wer hat in der Vorstandssitzung die Verkaufszahlen vorgestellt? => Wer hat vor der Geschäftsleitung über den Umsatz gesprochen?
    43 Das Telefonat mit dem Lieferanten ist wegen des Streiks ausgefallen. => Warum ist das Telefonat mit dem Lieferanten ausgefallen? => Warum haben wir nicht mit dem Zulieferer gesprochen?
    44 Die Retrospektive hat gezeigt, dass die Testläufe zu lange dauern. => Was hat die Retrospektive gezeigt? => Was störte die Entwickler am meisten, als sie auf den Sprint zurückblickten?
    45 Das Importskript stürzt ab, wenn eine Zeile ein Semikolon enthält. => Wann stürzt das Importskript ab? => Welches Zeichen lässt das Einlesen der Daten scheitern?
    46 Unser Zug nach Wien fährt um 7:42 Uhr von Gleis 9 ab. => Um wie viel Uhr fährt unser Zug nach Wien? => Wann brechen wir nach Österreich auf?
    47 In Kyoto haben wir in einem kleinen Gasthaus am Fluss gewohnt. => Wo haben wir in Kyoto gewohnt? => Wo haben wir auf unserer Japanreise übernachtet?
    48 Mein Reisepass ist bis 2031 gültig. => Bis wann ist mein Reisepass gültig? => Bis wann muss ich neue Ausweispapiere beantragen?
    49 Für unseren Urlaub in Schottland haben wir ein Wohnmobil gemietet. => Was haben wir für unseren Urlaub in Schottland gemietet? => Womit sind wir auf unserer Tour durch die Highlands gefahren?
    50 Der Koffer mit der kaputten Rolle steht im Keller. => Wo ist der Koffer mit der kaputten Rolle? => Wo ist das beschädigte Gepäckstück?
    51 Großvater nimmt jeden Morgen eine Tablette gegen Bluthochdruck. => Was nimmt Großvater jeden Morgen ein? => Welches Medikament bekommt Opa?
    52 Mein Zahnarzttermin ist am Donnerstag um halb fünf. => Wann ist mein Zahnarzttermin? => Wann wird mein Gebiss untersucht?
    53 Der Arzt hat Karim geraten, für seinen Rücken zweimal pro Woche zu schwimmen. => Wozu hat der Arzt Karim geraten? => Welchen Sport soll Karim gegen die Schmerzen treiben?
    54 Seit ihrer Operation kann Tante Rosa keine Treppen mehr steigen. => Seit wann kann Tante Rosa keine Treppen mehr steigen? => Warum braucht Rosa eine Wohnung mit Aufzug?
    55 Der Ersatzschlüssel liegt unter dem blauen Blumentopf. => Wo ist der Ersatzschlüssel? => Wie komme ich ins Haus, wenn ich mich ausgesperrt habe?
    56 Die Waschmaschine läuft beim Schleudern aus. => Wann läuft die Waschmaschine aus? => Welches Haushaltsgerät verliert Wasser?
    57 Die Katze wird nur abends gefüttert. => Wann wird die Katze gefüttert? => Zu welcher Tageszeit bekommt unser Haustier etwas zu fressen?
    58 Altpapier wird jeden zweiten Freitag abgeholt. => Wie oft wird Altpapier abgeholt? => Wann müssen alte Zeitungen an die Straße gestellt werden?
    59 Die Funktion, die Datumsangaben parst, versagt in Schaltjahren. => In welchen Jahren versagt die Funktion, die Datumsangaben parst? => Welchen Fehler haben wir mit dem 29. Februar?
    60 Die Tests laufen parallel, deshalb dürfen sie sich kein temporäres Verzeichnis teilen. => Warum dürfen sich die Tests kein temporäres Verzeichnis teilen? => Warum braucht jeder Testfall einen eigenen Ordner?
  `,
};
